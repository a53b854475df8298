# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: A withdrawal counts at once

    Scenario: What waits when consent is withdrawn is not delivered
      Given api is armed
      And api shows its operator a form
      And front has sent api "when you have time", held: the target shows its operator a dialog
      When the operator disarms api
      And the operator of api denies it
      Then the message is refused: consent was withdrawn
      And the model of api has read nothing

    @case:SX15
    Scenario: Arming again frees nothing old
      Given api is armed
      And api shows its operator a form
      And front has sent api "from before", held: the target shows its operator a dialog
      When the operator disarms api and arms it again in one breath
      And the operator of api denies it
      Then the message is refused: consent was withdrawn
      And the model of api has read nothing
      When front sends api "from after"
      Then the message is delivered

    Scenario: A delivery that has begun is stopped before its first byte, and disarm says so
      Given api is armed
      And the operator disarms api right before the next write
      When front sends api "just in time"
      Then the disarm ends: one write was under way
      And the message is refused: consent was withdrawn
      And the model of api has read nothing
