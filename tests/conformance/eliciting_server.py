"""An MCP server with one tool, ``ask``, that asks the client's operator and returns what he said.

``python -I eliciting_server.py``: JSON-RPC, one message a line, on standard input and output. It
runs alone, so it imports nothing of ours.
"""

import json
import sys

ELICITATION = "the-question"
NOTHING: dict[str, object] = {}
TOOL: dict[str, object] = {
    "name": "ask",
    "description": "asks the operator",
    "inputSchema": {"type": "object", "properties": NOTHING},
}
FORM: dict[str, object] = {
    "message": "May it be deployed?",
    "requestedSchema": {
        "type": "object",
        "properties": NOTHING,
    },
}


def main() -> None:
    """Answers until standard input ends."""
    call = None
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            about = {"name": "form", "version": "1"}
            tell(
                number,
                {
                    "protocolVersion": version,
                    "capabilities": {"tools": NOTHING},
                    "serverInfo": about,
                },
            )
        elif method == "tools/list":
            tell(number, {"tools": [TOOL]})
        elif method == "tools/call":
            call = number
            put({"id": ELICITATION, "method": "elicitation/create", "params": FORM})
        elif number == ELICITATION:
            said = json.dumps(message.get("result"))
            tell(call, {"content": [{"type": "text", "text": f"the operator said {said}"}]})
        elif number is not None:
            put({"id": number, "error": {"code": -32601, "message": "not here"}})


def tell(number: object, result: object) -> None:
    """The answer to the client's request ``number``."""
    put({"id": number, "result": result})


def put(message: dict[str, object]) -> None:
    """One message to the client."""
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
