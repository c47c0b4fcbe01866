"""Files of cookies as browsers and curl write them; what is wrong is named by its line, and no value is ever told."""

from http.cookiejar import Cookie as StandardCookie
from http.cookiejar import MozillaCookieJar

import pytest

from thresher.errors import BadInput
from thresher.fetch.cookie_file import read_cookie_file
from thresher.fetch.cookies import CookieJar
from thresher.model import Host, Url

NOW = 1_800_000_000.0
GOOD = ".example.org\tTRUE\t/\tTRUE\t0\tsid\thush"


def read(tmp_path, text):
    path = tmp_path / "cookies.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_cookie_file(path, NOW)


def test_a_file_of_a_browser_is_read(tmp_path):
    lines = (
        "# Netscape HTTP Cookie File",
        "",
        GOOD,
        "#HttpOnly_docs.example.org\tFALSE\t/a\tFALSE\t1900000000\ttoken\ta=b c",
        "bücher.example\tFALSE\t/\tFALSE\t-1\tempty",
        "old.example.org\tFALSE\t/\tFALSE\t1000\told\tx",
    )
    text = "\r\n".join(lines)
    jar = CookieJar(read(tmp_path, text))
    assert jar.header(Url("https://docs.example.org/a/"), Host("docs.example.org"), NOW) == "token=a=b c; sid=hush"
    assert jar.header(Url("http://example.org/"), Host("example.org"), NOW) == ""
    assert jar.header(Url("http://xn--bcher-kva.example/"), Host("xn--bcher-kva.example"), NOW) == "empty="
    assert jar.header(Url("http://old.example.org/"), Host("old.example.org"), NOW) == ""


def test_what_the_standard_library_writes_is_read(tmp_path):
    path = tmp_path / "cookies.txt"
    written = MozillaCookieJar(path)
    where = (".example.org", True, True, "/", True, True)
    written.set_cookie(StandardCookie(0, "sid", "hush", None, False, *where, 1_900_000_000, False, None, None, {}))
    written.save()
    (cookie,) = read_cookie_file(path, NOW)
    assert (cookie.name, cookie.value, cookie.domain, cookie.host_only, cookie.secure) == (
        "sid", "hush", "example.org", False, True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD + "\nsid=hush", "line 2 has 1 fields, but a cookie has 7"),
        (GOOD.replace("TRUE", "yes", 1), "line 1: the second and the fourth field must be TRUE or FALSE"),
        (GOOD.replace("/", "x"), "line 1: the third field must be a path"),
        (GOOD.replace("\t0\t", "\tsoon\t"), "line 1: the fifth field must be a time in seconds"),
        (GOOD.replace("\t0\t", "\tnan\t"), "line 1: the fifth field must be a time in seconds"),
        (GOOD.replace(".example.org", "a b"), "line 1: the first field must be a host"),
        (GOOD.replace(".example.org", "me:hush@example.org"), "line 1: the first field must be a host"),
        (GOOD.replace(".example.org", ".co.uk"), "line 1: co.uk is no domain of one owner"),
        (GOOD.replace("hush", "hush;x"), "line 1: name and value must have"),
        (GOOD.replace("hush", "hush" * 2000), "line 1: name and value must have at most"),
        (GOOD.replace("\t0\t", "\t1000\t"), "all cookies (1) have expired"),
        ("# nothing", "has no cookies"),
        ("", "has no cookies"),
        (b"\xff\xfehush", "its byte 0 is not UTF-8"),
        ((GOOD + "\n") * 6000, "has 6,000 cookies"),
        ("# hush\n" * 700_000, "more than 4,194,304 bytes"),
    ],
)
def test_what_is_wrong_is_named_by_its_line_and_no_value_is_told(tmp_path, text, says):
    with pytest.raises(BadInput) as error:
        read(tmp_path, text)
    assert says in str(error.value)
    assert "hush" not in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"cannot read the cookies in .*no.txt: No such file"):
        read_cookie_file(tmp_path / "no.txt", NOW)
