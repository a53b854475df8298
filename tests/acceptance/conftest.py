"""The step library for the scenarios; a star takes the steps along, which are fixtures (pytest-bdd)."""

from steps.client_steps import *
from steps.consent_steps import *
from steps.label_steps import *
from steps.outcome_steps import *
from steps.plugin import *
from steps.resident_steps import *
from steps.sending_steps import *
from steps.session_steps import *
