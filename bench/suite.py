"""Every benchmark there is, in the order in which they run."""

import accepting
import hooks
import imports
import residents
import roster
import verbs
import writers

BENCHMARKS = (
    *imports.BENCHMARKS,
    *hooks.BENCHMARKS,
    *verbs.BENCHMARKS,
    *roster.BENCHMARKS,
    *accepting.BENCHMARKS,
    *writers.BENCHMARKS,
    *residents.BENCHMARKS,
)
