#!/bin/bash
# Workers of one crawl as a job array of Slurm: docs/scale.md. Begin the crawl first, on a machine that reaches the database:
#
#   thresher crawl iris --ledger 'postgresql://me@db.example/crawls?schema=iris' --seed https://example.org/ --warcs /scratch/me/iris
#   export THRESHER_LEDGER='postgresql://me@db.example/crawls?schema=iris'
#   sbatch slurm.sh
#
# The password stands in ~/.pgpass (host:port:database:user:password, chmod 600), which every node reads: not here, and on no command line.

#SBATCH --job-name=thresher
#SBATCH --array=1-16
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=24:00:00
#SBATCH --requeue
# A minute before its time is over, a worker ends as by Ctrl-C: the pages under way are kept.
#SBATCH --signal=INT@60

set -euo pipefail
: "${THRESHER_LEDGER:?say which crawl to work on}"

exec srun thresher work --hands 2 --quiet
