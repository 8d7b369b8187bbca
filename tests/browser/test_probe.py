import pytest
pytestmark = pytest.mark.browser
@pytest.mark.parametrize("width",[360,768,1280])
def test_probe(checker, page, width):
    page.set_viewport_size({"width":width,"height":900})
    checker.open()
    print()
    def y(): return [round(checker.key(c).bounding_box()["y"]+page.evaluate("scrollY")) for c in ("1m","1s","E")]
    print(width, y(), page.evaluate("scrollY"), checker.key("1m").bounding_box())
    for c in "1m 2m 3m 4p 5p 5p 5p 6p 7s 8s S S S 9s".split():
        checker.tap(c); print(c, y())
