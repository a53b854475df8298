# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: Another session's consent is widened by a person only

    Scenario: An agent arms itself only
      When the model of front tries to arm api
      Then the arm ends: not allowed
      And api is not armed

    Scenario: A script widens nobody's
      When a script tries to arm api
      Then the arm ends: not allowed
      And api is not armed

    Scenario: A person at a terminal does
      When a person at a terminal arms api
      Then api is armed
