# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: A notice wakes only where that was both armed and asked for

    Scenario: Armed and asked for
      Given api is armed to be woken by notices
      When front notifies api "the build is green", to wake it
      Then the message is delivered
      And the model of api has read "the build is green" once

    Scenario: Asked for, but not armed
      Given api is armed
      When front notifies api "the build is green", to wake it
      Then the message is held: a notice starts no turn here
      And the model of api has read nothing

    Scenario: Armed, but not asked for
      Given api is armed to be woken by notices
      When front notifies api "the build is green"
      Then the message is held: a notice starts no turn here
      And the model of api has read nothing

    Scenario: A repository's opt-in lets nothing wake
      Given the repository of api opts in
      When front notifies api "the build is green", to wake it
      Then the message is held: a notice starts no turn here
      And the model of api has read nothing
