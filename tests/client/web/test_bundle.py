"""The modules of the page as one script: it means what they mean apart, and other modules are refused."""

import subprocess
from pathlib import Path

import pytest
from support.client import node

from parlour.client.web.bundle import bundle

SOURCES = {
    "main": 'import { twice as double, Word } from "./words.js";\nimport { one } from "./numbers.js";\n'
    "const n = 7;\nconsole.log(double(one), new Word(await n).said);\n",
    "words": 'import { one, two } from "./numbers.js";\nconst n = two;\n'
    "export function twice(value) {\n  return value * n;\n}\n"
    "export class Word {\n  constructor(of) {\n    this.said = `${one} ${of}`;\n  }\n}\n",
    "numbers": "/* licence */\nconst n=1,t=2;export{n as one,t as two};\n//# sourceMappingURL=numbers.map\n",
}


def test_a_module_keeps_its_names_to_itself_and_is_run_once_before_whoever_imports_it(tmp_path: Path) -> None:
    for name, source in {**SOURCES, "whole": bundle(SOURCES, "main")}.items():
        (tmp_path / f"{name}.js").write_text(source, encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    apart, together = [
        subprocess.run([node.node(), str(tmp_path / name)], capture_output=True, text=True, check=True).stdout
        for name in ("main.js", "whole.js")
    ]
    assert together == apart == "2 1 7\n"


@pytest.mark.parametrize("line", ['import * as all from "./a.js";', "export default 3;", "export * from 'b'"])
def test_other_ways_to_import_and_export_are_refused_by_name(line: str) -> None:
    with pytest.raises(ValueError, match=r"main\.js cannot be put into one file"):
        bundle({**SOURCES, "main": line}, "main")


def test_modules_that_import_each_other_are_refused() -> None:
    numbers = 'import { twice } from "./words.js";\nexport const one = twice;\n'
    with pytest.raises(ValueError, match="words -> numbers -> words"):
        bundle({**SOURCES, "numbers": numbers}, "main")
