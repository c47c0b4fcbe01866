BEGIN TRANSACTION;
CREATE TABLE host (
    number  INTEGER PRIMARY KEY,
    name    TEXT    NOT NULL,
    next_at REAL    NOT NULL,
    delay   REAL    NOT NULL,
    pause   REAL    NOT NULL,
    strains INTEGER NOT NULL,
    fetched INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    waiting INTEGER NOT NULL
);
INSERT INTO "host" VALUES(0,'a.example',13.0,0.0,0.0,0,5,5,29);
INSERT INTO "host" VALUES(1,'b.example',67.0,2.0,0.0,0,6,6,18);
INSERT INTO "host" VALUES(2,'c.example',65.0,0.0,2.0,1,1,1,27);
CREATE TABLE url (
    seq      INTEGER PRIMARY KEY,  -- age: new rows are appended, so that they fill whole pages one after the other
    hash     INTEGER NOT NULL,     -- 64 bits of the url; two of ten million urls share one with a chance of 1 in 300,000
    host     INTEGER NOT NULL,
    state    INTEGER NOT NULL DEFAULT 0,
    priority REAL    NOT NULL,
    tries    INTEGER NOT NULL DEFAULT 0,
    depth    INTEGER NOT NULL,
    parent,                        -- the seq of the page that was settled when the link was found, or a url, or NULL
    anchor   TEXT,
    chain    TEXT,                 -- the urls that redirected here, one a line
    url      TEXT    NOT NULL
);
INSERT INTO "url" VALUES(1,-417562914494056185,0,2,9.0,0,0,NULL,NULL,NULL,'https://a.example/0');
INSERT INTO "url" VALUES(2,2009855507221557058,1,2,9.0,0,0,NULL,NULL,NULL,'https://b.example/0');
INSERT INTO "url" VALUES(3,592900655907220329,2,2,9.0,0,0,NULL,NULL,NULL,'https://c.example/0');
INSERT INTO "url" VALUES(4,-501722641833487931,1,2,1.0,0,1,1,'anchor 0',NULL,'https://b.example/9');
INSERT INTO "url" VALUES(5,-8540073638898879810,0,0,0.25,0,1,1,'anchor 1',NULL,'https://a.example/52');
INSERT INTO "url" VALUES(6,-6718228471918997573,0,2,1.0,1,1,9,'anchor 0',NULL,'https://a.example/58');
INSERT INTO "url" VALUES(7,-2181602396079387826,1,0,0.25,0,1,1,'anchor 3','https://r.example/1
https://r.example/2','https://b.example/26');
INSERT INTO "url" VALUES(8,-5102611905600168576,2,0,0.25,0,1,'https://d.example/1','anchor 4',NULL,'https://c.example/27');
INSERT INTO "url" VALUES(9,2348285040274373726,0,2,1.0,0,1,17,'anchor 5',NULL,'https://a.example/14');
INSERT INTO "url" VALUES(10,-5106225769453221209,1,0,0.5,0,1,1,'anchor 6',NULL,'https://b.example/3');
INSERT INTO "url" VALUES(11,-5045626102203774249,0,2,1.0,1,1,1,'anchor 7',NULL,'https://a.example/18');
INSERT INTO "url" VALUES(12,5184161375757365484,0,0,0.5,0,1,2,'anchor 0',NULL,'https://a.example/36');
INSERT INTO "url" VALUES(13,-6891652182273873675,2,0,0.5,0,1,'https://a.example/18','anchor 2',NULL,'https://c.example/11');
INSERT INTO "url" VALUES(14,-2813614777290194482,2,0,0.5,0,1,2,'anchor 2',NULL,'https://c.example/12');
INSERT INTO "url" VALUES(15,2318206277122117631,2,0,0.5,0,1,3,'anchor 3','https://r.example/1
https://r.example/2','https://c.example/4');
INSERT INTO "url" VALUES(16,5615610641950835036,1,2,1.0,0,1,2,'anchor 4',NULL,'https://b.example/43');
INSERT INTO "url" VALUES(17,-3415427915909846942,1,2,1.0,0,1,2,'anchor 5',NULL,'https://b.example/37');
INSERT INTO "url" VALUES(18,-679399508832159349,0,0,0.5,0,1,2,'anchor 6',NULL,'https://a.example/50');
INSERT INTO "url" VALUES(19,2103938894460536019,0,0,0.5,0,1,2,'anchor 7',NULL,'https://a.example/5');
INSERT INTO "url" VALUES(20,-7492446053045451001,1,2,1.0,0,1,3,'anchor 0',NULL,'https://b.example/46');
INSERT INTO "url" VALUES(21,-1326620160758712302,0,2,1.0,0,1,3,'anchor 1',NULL,'https://a.example/7');
INSERT INTO "url" VALUES(22,5907598493573078635,1,2,1.0,0,1,3,'anchor 4',NULL,'https://b.example/38');
INSERT INTO "url" VALUES(23,-2130112345332907515,1,0,0.25,0,1,'https://d.example/1','anchor 5',NULL,'https://b.example/4');
INSERT INTO "url" VALUES(24,1201248519143719829,1,0,0.25,0,1,3,'anchor 6',NULL,'https://b.example/44');
INSERT INTO "url" VALUES(25,6859227169017093636,2,1,1.0,1,1,3,'anchor 7',NULL,'https://c.example/19');
INSERT INTO "url" VALUES(26,-5097062737389433088,1,0,0.5,0,1,4,'anchor 0',NULL,'https://b.example/56');
INSERT INTO "url" VALUES(27,-7760320006555711636,1,0,0.5,0,1,4,'anchor 1',NULL,'https://b.example/22');
INSERT INTO "url" VALUES(28,5459987213007997583,0,0,0.5,0,1,4,'anchor 3','https://r.example/1
https://r.example/2','https://a.example/47');
INSERT INTO "url" VALUES(29,6993859527948748921,1,0,0.5,0,1,4,'anchor 4',NULL,'https://b.example/5');
INSERT INTO "url" VALUES(30,5175658433178782079,2,0,1.0,0,1,'https://d.example/1','anchor 6',NULL,'https://c.example/17');
INSERT INTO "url" VALUES(31,8942873404998428181,2,0,1.0,0,1,'https://d.example/1','anchor 7',NULL,'https://c.example/56');
INSERT INTO "url" VALUES(32,7911181587773521840,2,0,0.25,0,1,'https://a.example/18','anchor 1',NULL,'https://c.example/14');
INSERT INTO "url" VALUES(33,2895017503314839538,0,0,0.5,0,1,'https://a.example/18','anchor 3','https://r.example/1
https://r.example/2','https://a.example/26');
INSERT INTO "url" VALUES(34,441381307699825520,1,0,0.25,0,1,'https://a.example/18','anchor 4',NULL,'https://b.example/8');
INSERT INTO "url" VALUES(35,7204083243427489529,2,0,1.0,0,1,'https://a.example/18','anchor 5',NULL,'https://c.example/51');
INSERT INTO "url" VALUES(36,-7272364531823675227,1,1,1.0,0,1,'https://a.example/18','anchor 6',NULL,'https://b.example/6');
INSERT INTO "url" VALUES(37,6403807482479675216,0,0,0.25,0,1,'https://d.example/1','anchor 7',NULL,'https://a.example/12');
INSERT INTO "url" VALUES(38,-569113301010390241,1,0,0.25,0,1,16,'anchor 0',NULL,'https://b.example/10');
INSERT INTO "url" VALUES(39,-2732778294910246525,0,0,0.25,0,1,16,'anchor 1',NULL,'https://a.example/6');
INSERT INTO "url" VALUES(40,3099837362184287183,2,0,0.5,0,1,16,'anchor 2',NULL,'https://c.example/6');
INSERT INTO "url" VALUES(41,-4107010997639395472,0,0,0.5,0,1,16,'anchor 3','https://r.example/1
https://r.example/2','https://a.example/55');
INSERT INTO "url" VALUES(42,8239630654344887948,0,0,0.5,0,1,'https://d.example/1','anchor 4',NULL,'https://a.example/40');
INSERT INTO "url" VALUES(43,-7737481646323811581,2,0,1.0,0,1,16,'anchor 5',NULL,'https://c.example/23');
INSERT INTO "url" VALUES(44,1325508830298765987,1,0,1.0,0,1,16,'anchor 6',NULL,'https://b.example/29');
INSERT INTO "url" VALUES(45,364918219594431636,0,0,0.25,0,1,16,'anchor 7',NULL,'https://a.example/9');
INSERT INTO "url" VALUES(46,66842232047981736,2,0,1.0,0,1,'https://d.example/1','anchor 0',NULL,'https://c.example/16');
INSERT INTO "url" VALUES(47,436255042861659133,0,0,0.5,0,1,'https://d.example/1','anchor 3','https://r.example/1
https://r.example/2','https://a.example/33');
INSERT INTO "url" VALUES(48,5252104224997158413,0,0,0.5,0,1,'https://d.example/1','anchor 3','https://r.example/1
https://r.example/2','https://a.example/48');
INSERT INTO "url" VALUES(49,-5303747409263745281,0,0,0.5,0,1,11,'anchor 4',NULL,'https://a.example/44');
INSERT INTO "url" VALUES(50,8600987138082073792,0,0,0.5,0,1,11,'anchor 5',NULL,'https://a.example/22');
INSERT INTO "url" VALUES(51,-9182598755914007928,2,0,0.5,0,1,11,'anchor 6',NULL,'https://c.example/21');
INSERT INTO "url" VALUES(52,6822345681687409724,0,0,0.5,0,1,'https://d.example/1','anchor 7',NULL,'https://a.example/51');
INSERT INTO "url" VALUES(53,-6392758038399810506,1,0,0.5,0,1,17,'anchor 2',NULL,'https://b.example/30');
INSERT INTO "url" VALUES(54,-5934463999754984087,2,0,1.0,0,1,'https://d.example/1','anchor 3','https://r.example/1
https://r.example/2','https://c.example/22');
INSERT INTO "url" VALUES(55,-9189320307315695549,0,0,0.5,0,1,9,'anchor 1',NULL,'https://a.example/30');
INSERT INTO "url" VALUES(56,-4773941504202206665,2,0,1.0,0,1,9,'anchor 3','https://r.example/1
https://r.example/2','https://c.example/25');
INSERT INTO "url" VALUES(57,-2683799680914001725,0,0,0.5,0,1,9,'anchor 4',NULL,'https://a.example/46');
INSERT INTO "url" VALUES(58,-5107164787021021114,0,0,0.5,0,1,9,'anchor 5',NULL,'https://a.example/1');
INSERT INTO "url" VALUES(59,5229077922548215649,1,0,0.5,0,1,9,'anchor 6',NULL,'https://b.example/51');
INSERT INTO "url" VALUES(60,5873406022474561253,2,0,0.5,0,1,9,'anchor 7',NULL,'https://c.example/30');
INSERT INTO "url" VALUES(61,8950012897331575363,2,0,0.25,0,1,'https://a.example/58','anchor 0',NULL,'https://c.example/8');
INSERT INTO "url" VALUES(62,7703105018888721594,2,0,0.25,0,1,'https://a.example/58','anchor 1',NULL,'https://c.example/41');
INSERT INTO "url" VALUES(63,-7689114854956881364,0,0,0.5,0,1,'https://d.example/1','anchor 2',NULL,'https://a.example/27');
INSERT INTO "url" VALUES(64,997317767302088109,2,0,1.0,0,1,6,'anchor 5',NULL,'https://c.example/15');
INSERT INTO "url" VALUES(65,514737471430537281,1,0,0.5,0,1,'https://a.example/58','anchor 5',NULL,'https://b.example/53');
INSERT INTO "url" VALUES(66,8236568383336989015,2,0,0.5,0,1,'https://a.example/58','anchor 7',NULL,'https://c.example/26');
INSERT INTO "url" VALUES(67,5984536212142598401,2,0,0.5,0,1,6,'anchor 0',NULL,'https://c.example/32');
INSERT INTO "url" VALUES(68,-7631719177384165259,0,0,0.5,0,1,'https://c.example/19','anchor 0',NULL,'https://a.example/38');
INSERT INTO "url" VALUES(69,3451372096963020923,0,0,0.5,0,1,20,'anchor 2',NULL,'https://a.example/11');
INSERT INTO "url" VALUES(70,-462084373044468414,2,0,0.25,0,1,20,'anchor 3','https://r.example/1
https://r.example/2','https://c.example/7');
INSERT INTO "url" VALUES(71,7214905739170023843,2,0,1.0,0,1,20,'anchor 4',NULL,'https://c.example/33');
INSERT INTO "url" VALUES(72,-409575059507546217,0,0,0.25,0,1,20,'anchor 5',NULL,'https://a.example/56');
INSERT INTO "url" VALUES(73,9128150557291690919,1,0,0.25,0,1,20,'anchor 6',NULL,'https://b.example/2');
INSERT INTO "url" VALUES(74,5522865612862644299,2,0,0.25,0,1,20,'anchor 7',NULL,'https://c.example/1');
INSERT INTO "url" VALUES(75,-1201848272142226219,1,0,1.0,0,1,6,'anchor 1',NULL,'https://b.example/32');
INSERT INTO "url" VALUES(76,-1607852791503156423,0,0,1.0,0,1,6,'anchor 3','https://r.example/1
https://r.example/2','https://a.example/53');
INSERT INTO "url" VALUES(77,-7825406324949672171,0,0,1.0,0,1,6,'anchor 4',NULL,'https://a.example/25');
INSERT INTO "url" VALUES(78,4012918656602822461,0,0,0.5,0,1,6,'anchor 7',NULL,'https://a.example/45');
INSERT INTO "url" VALUES(79,2020011547124282772,0,0,0.5,0,1,21,'anchor 0',NULL,'https://a.example/29');
INSERT INTO "url" VALUES(80,8630384682171314966,2,0,0.5,0,1,21,'anchor 2',NULL,'https://c.example/53');
INSERT INTO "url" VALUES(81,-6248730617927343024,1,0,0.5,0,1,21,'anchor 5',NULL,'https://b.example/1');
INSERT INTO "url" VALUES(82,3158609721236793445,1,0,0.25,0,1,21,'anchor 6',NULL,'https://b.example/45');
INSERT INTO "url" VALUES(83,-7308206517693599184,2,0,0.5,0,1,21,'anchor 7',NULL,'https://c.example/39');
INSERT INTO "url" VALUES(84,5980777548736157891,0,0,0.5,0,1,'https://d.example/1','anchor 2',NULL,'https://a.example/17');
INSERT INTO "url" VALUES(85,-7721439135339134774,2,0,0.5,0,1,22,'anchor 3','https://r.example/1
https://r.example/2','https://c.example/52');
INSERT INTO "url" VALUES(86,6648378288996301576,2,0,1.0,0,1,22,'anchor 4',NULL,'https://c.example/58');
INSERT INTO "url" VALUES(87,-6609743283585079886,0,0,0.25,0,1,'https://c.example/19','anchor 4',NULL,'https://a.example/16');
INSERT INTO "url" VALUES(88,-2962886613641519856,1,0,0.5,0,1,'https://c.example/19','anchor 5',NULL,'https://b.example/40');
CREATE UNIQUE INDEX url_by_hash ON url (hash);
CREATE INDEX url_by_host ON url (host, priority DESC) WHERE state = 0;
CREATE INDEX url_claimed ON url (seq) WHERE state = 1;
COMMIT;
