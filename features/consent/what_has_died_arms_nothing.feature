# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: What has died arms nothing

    Scenario: A resumed conversation in a new process has to be armed anew
      Given api is armed
      When the process of api ends and its conversation is resumed in a new process
      And front sends api "welcome back"
      Then the send is refused: the target has not agreed to hear it
