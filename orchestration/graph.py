"""The picture of a turn: nodes and edges, nothing else.

assess -> intent -> select -+-> (silence) END
                            +-> clarify -> END
                            +-> reply -> reply ... -+-> END               serial: B sees A's words
                            +-> reply | reply | reply -+-> END            parallel: real branches
                                                       +-> quality -> END where a posted reply is doubtful
"""

from __future__ import annotations

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from orchestration.decisions import ReplyMode
from orchestration.nodes.assess import assess
from orchestration.nodes.clarify import clarify
from orchestration.nodes.intent import intent
from orchestration.nodes.quality import doubtful, quality
from orchestration.nodes.reply import reply
from orchestration.nodes.select import select
from orchestration.state import TurnDeps, TurnState, decision_from_json

TurnGraph = CompiledStateGraph[TurnState, TurnDeps, TurnState, TurnState]


def build_graph(checkpointer: BaseCheckpointSaver[Any] | None) -> TurnGraph:
    """The compiled graph; without a checkpointer a crash lets the turn begin again from its stored replies."""
    graph = StateGraph(TurnState, context_schema=TurnDeps)
    graph.add_node("assess", assess)
    graph.add_node("intent", intent)
    graph.add_node("select", select)
    graph.add_node("clarify", clarify)
    graph.add_node("reply", reply)
    graph.add_node("quality", quality)
    graph.add_edge(START, "assess")
    graph.add_edge("assess", "intent")
    graph.add_edge("intent", "select")
    graph.add_conditional_edges("select", _after_select, ["clarify", "reply", END])
    graph.add_edge("clarify", END)
    graph.add_conditional_edges("reply", _after_reply, ["reply", "quality", END])
    graph.add_edge("quality", END)
    return graph.compile(checkpointer=checkpointer)


def _after_select(state: TurnState) -> str | list[Send]:
    decision = decision_from_json(state["decision"])
    if decision.clarify:
        return "clarify"
    if not decision.respond:
        return END
    if decision.mode is ReplyMode.PARALLEL:
        return [
            Send("reply", {"decision": state["decision"], "agent": agent_id, "idx": idx, "drafts": []})
            for idx, agent_id in enumerate(decision.agent_ids)
        ]
    return "reply"


def _after_reply(state: TurnState) -> str:
    """On to the next of a serial turn; a second look only where there is something to look at."""
    if state.get("queue"):
        return "reply"
    return "quality" if any(doubtful(draft) for draft in state.get("drafts", [])) else END
