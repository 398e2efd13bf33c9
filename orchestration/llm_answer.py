"""An answer of a model server, before anybody judged it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orchestration.llm_settings import Price
from orchestration.llm_tokens import tokens_of, tokens_of_prompt
from orchestration.model import Usage
from orchestration.ports import PromptMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """``arguments`` are those of tool calls (as objects, or as text where they were malformed).

    ``finish`` None: the server did not say that the answer is whole. Token counts None: it did not count.
    """

    text: str
    arguments: tuple[Mapping[str, Any] | str, ...] = ()
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    def usage(self, prompt: Sequence[PromptMessage], price: Price) -> Usage:
        """As the server counted, else estimated and marked so."""
        told = isinstance(self.prompt_tokens, int) and isinstance(self.completion_tokens, int)
        spoken = self.text + "".join(str(arguments) for arguments in self.arguments)
        # A server that reports zeros for a prompt that has words did not count either.
        if told and self.prompt_tokens:
            sent, said = int(self.prompt_tokens), int(self.completion_tokens or 0)
        else:
            told, sent, said = False, tokens_of_prompt(prompt), tokens_of(spoken)
        return Usage(calls=1, prompt_tokens=sent, completion_tokens=said, cost=price.of(sent, said), estimated=not told)
