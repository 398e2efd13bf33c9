"""The texts of all languages say the same things, and values stay data."""

from __future__ import annotations

import ast
import importlib
import string
from pathlib import Path

import pytest

from orchestration.decisions import DecidedBy, IntentKind, ReplyMode
from orchestration.errors import ModelError, UserError
from orchestration.model import Locale, OutboxState
from orchestration.sessions import StopKind
from orchestration.texts import en, has, refusal, text, zh
from orchestration.turns import TurnStatus

ROOT = Path(__file__).parents[2]


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_every_language_has_the_same_codes() -> None:
    assert set(en.TEXTS) == set(zh.TEXTS)


def test_every_language_has_the_same_placeholders() -> None:
    differing = [code for code in en.TEXTS if placeholders(en.TEXTS[code]) != placeholders(zh.TEXTS.get(code, ""))]
    assert differing == []


def test_placeholders_are_plain_names() -> None:
    odd = [
        c
        for t in (en.TEXTS, zh.TEXTS)
        for c, template in t.items()
        for p in placeholders(template)
        if not p.isidentifier()
    ]
    assert odd == []


def test_a_code_is_written_once() -> None:
    for name in ("en", "zh"):
        tree = ast.parse((ROOT / "orchestration" / "texts" / f"{name}.py").read_text("utf-8"))
        keys = [
            k.value for d in ast.walk(tree) if isinstance(d, ast.Dict) for k in d.keys if isinstance(k, ast.Constant)
        ]
        assert sorted(keys) == sorted(set(keys))


def imported_text(tree: ast.Module) -> bool:
    """Whether ``text`` is ours in this module: the prompts have a ``text`` of their own."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return any(node.module == "orchestration.texts" for node in imports)


def codes_in_source() -> set[tuple[str, str]]:
    """(file, code) of every code written literally in a call of ``text`` or in a UserError."""
    found = set()
    for top in ("bot", "adapters", "orchestration", "storage"):
        for path in sorted((ROOT / top).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            for node in ast.walk(tree):
                if not isinstance(node, ast.Call):
                    continue
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                place = {"text": 1, "UserError": 0}.get(name)
                if place is None or len(node.args) <= place or (name == "text" and not imported_text(tree)):
                    continue
                code = node.args[place]
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    found.add((str(path.relative_to(ROOT)), code.value))
    return found


def test_every_code_named_in_the_source_exists() -> None:
    assert [(where, code) for where, code in sorted(codes_in_source()) if code not in en.TEXTS] == []


def test_values_are_data_and_never_templates() -> None:
    said = text(Locale.EN, "card_name_taken", name="{name} {0} {{char}} %s", holder="Ada", hint="}{")
    assert "{name} {0} {{char}} %s" in said
    assert "}{" in said


def test_an_unknown_language_speaks_english() -> None:
    assert text("xx", "not_allowed") == text("en", "not_allowed")


def test_an_unknown_code_is_a_defect() -> None:
    assert not has("en", "no_such_code")
    with pytest.raises(KeyError):
        text("en", "no_such_code")


def constants_of(module: str) -> set[str]:
    """The codes a module names: its constants in capital letters that are words in small ones."""
    values = vars(importlib.import_module(module))
    return {value for name, value in values.items() if name.isupper() and isinstance(value, str) and value.islower()}


def test_every_objection_of_the_quality_rules_has_words() -> None:
    codes = constants_of("orchestration.quality") | constants_of("orchestration.voice")
    assert "prompt_leak" in codes
    assert sorted(code for code in codes if f"issue_{code}" not in en.TEXTS) == []


def test_every_failure_of_a_model_has_words() -> None:
    failures: list[type[ModelError]] = [ModelError]
    for failure in failures:
        failures += failure.__subclasses__()
    assert sorted({f.code for f in failures if f"failure_{f.code}" not in en.TEXTS}) == []


@pytest.mark.parametrize(
    ("area", "codes"),
    [
        ("intent", list(IntentKind)),
        ("mode", list(ReplyMode)),
        ("decided", list(DecidedBy)),
        ("why_status", list(TurnStatus)),
        ("why_state", list(OutboxState)),
        ("why_stop", list(StopKind)),
    ],
)
def test_every_state_and_decision_has_words(area: str, codes: list[str]) -> None:
    assert [code for code in codes if f"{area}_{code}" not in en.TEXTS] == []


def test_a_refusal_names_fields_in_the_persons_language() -> None:
    error = UserError("card_field_too_long", field="tone", limit=10, length=11)
    assert "语气" in refusal("zh", error)
    assert "tone" in refusal("en", error)
