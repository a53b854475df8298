# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: The end of a narrow grant widens nothing

    Scenario: One whose time is over leaves the repository no say
      Given the repository of api opts in
      And api is armed for 1 hour
      When 2 hours pass
      And front sends api "too late?"
      Then the send is refused: the target has not agreed to hear it

    Scenario: Nor does one whose socket was made anew
      Given the repository of api opts in
      And the sessions ci
      And api is armed for front
      When the socket of api is made anew
      And 5 minutes pass
      And somebody reaps what has died
      And ci sends api "the build failed"
      Then the send is refused: the target has not agreed to hear it
