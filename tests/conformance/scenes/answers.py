"""A real client's model answers with its own SendMessage at a socket of ours (D29, H 10)."""

import os

from conformance.model_script import answering_script
from conformance.stage import Stage
from conformance.writing import Sample, Writer
from support.native_answer import reply_folder
from support.waiting import until
from tidings.ports.codec import Document
from tidings.ports.replies import NativeAnswer

REF = f"m{'e' * 28}"


def native_answer(stage: Stage) -> Document:
    """One frame with an answer address; its script makes the model answer there."""
    world = stage.world()
    terminal = stage.launch(world, "--name", "target")
    writer = Writer(world, world.idle_session(terminal))
    sockets = reply_folder(str(world.home / "run" / "r"))
    answers: list[NativeAnswer] = []

    def heard() -> bool:
        answers.extend(sockets.accept_ready())
        return bool(answers)

    address = sockets.address(REF)
    wrote = writer.write(Sample(body=answering_script("yes, done"), letter="e", address=address))
    until(heard, timeout=15, what="an answer at the socket")
    world.turn_over(terminal.pid, turns=1)
    answers.extend(sockets.accept_ready())
    sockets.close_all()
    return {
        "result": wrote.result,
        "answers": [_facts(answer) for answer in answers],
        "client_pid": terminal.pid,
        "user": os.getuid(),
        "dialogs": world.count("PermissionRequest"),
    }


def _facts(answer: NativeAnswer) -> Document:
    return {
        "ref": answer.ref,
        "pid": answer.peer_pid,
        "uid": answer.peer_uid,
        "text": answer.text,
    }
