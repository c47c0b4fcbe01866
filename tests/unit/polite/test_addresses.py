import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.polite.addresses import AddressGuard, is_private

PRIVATE = """
0.0.0.0
0.1.2.3
10.0.0.1
100.64.0.1
127.0.0.1
127.255.255.254
169.254.169.254
172.16.0.1
172.31.255.255
192.0.2.1
192.168.1.1
198.18.0.1
224.0.0.1
239.255.255.255
240.0.0.1
255.255.255.255
::
::1
::127.0.0.1
::ffff:10.0.0.1
::ffff:127.0.0.1
fd00:ec2::254
fc00::1
fe80::1
fe80::1%eth0
fec0::1
ff02::1
2002:7f00:1::
2002:a9fe:a9fe::
64:ff9b::127.0.0.1
64:ff9b::a9fe:a9fe
64:ff9b:1::1
2001:db8::1
100::1
2001:0:4136:e378:8000:63bf:80ff:fffe
2001:0:0a00:0001:8000:63bf:f7f7:f7f7
192.0.0.8
192.0.0.9
192.0.0.192
168.63.129.16
100.100.100.200
192.88.99.1
192.175.48.1
198.51.100.7
203.0.113.7
::8.8.8.8
::ffff:0:8.8.8.8
::ffff:192.0.0.192
64:ff9b::168.63.129.16
64:ff9b:1::808:808
2002:c000:c0::
100:0:0:1::1
2001:2::1
2001:20::1
3fff::1
3fff:fff::1
5f00::1
4000::1
2606:2800:220:1:0:5efe:10.0.0.1
2606:2800:220:1:200:5efe:169.254.169.254
fe80::5efe:8.8.8.8
"""
PUBLIC = """
1.1.1.1
8.8.8.8
93.184.216.34
100.63.255.255
100.128.0.1
172.32.0.1
198.20.0.1
2606:2800:220:1:248:1893:25c8:1946
::ffff:8.8.8.8
2002:808:808::
64:ff9b::8.8.8.8
168.63.129.15
192.0.1.1
192.88.98.1
2001:200::1
2001:4860:4860::8888
2620:fe::fe
2606:2800:220:1:0:5efe:8.8.8.8
2001:0:4136:e378:8000:63bf:f7f7:f7f7
"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_these_are_private(address):
    assert is_private(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_these_are_public(address):
    assert not is_private(address)


@given(st.text())
def test_what_is_no_address_is_private_and_never_raises(text):
    assert is_private(text) or text.partition("%")[0].replace(":", "").replace(".", "").isalnum()


@given(st.ip_addresses(v=4))
def test_an_address_is_as_private_inside_ipv6_as_outside(ip):
    carried = int(ip)
    sixtofour = f"2002:{carried >> 16:x}:{carried & 0xFFFF:x}::1"
    within = [f"::ffff:{ip}", f"64:ff9b::{ip}", f"2606:2800:220:1:0:5efe:{ip}", sixtofour]
    assert {is_private(str(ip))} == set(map(is_private, within))


def test_the_guard_lets_public_addresses_pass_and_no_others():
    guard = AddressGuard()
    assert guard("example.org", "93.184.216.34")
    assert not guard("example.org", "10.0.0.1")


def test_a_seed_lifts_the_guard_for_its_host_alone():
    guard = AddressGuard(hosts=["127.0.0.1:8000"])
    assert guard("127.0.0.1:8000", "127.0.0.1")
    assert not guard("127.0.0.1:6379", "127.0.0.1")
    assert not guard("127.0.0.1", "127.0.0.1")


def test_allowing_private_lifts_it_for_all():
    assert AddressGuard(allow_private=True)("anything", "169.254.169.254")
