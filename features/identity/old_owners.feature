# Promise P9: old owners are fenced.
Feature: P9, whoever was replaced writes nothing and claims nothing

  A resident holds a lease, its registration. When another resident has taken over, the old one may
  still be running and may not know. It is fenced: it writes zero bytes, and it cannot take the
  lease back or spoil the new one.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: A replaced resident writes zero bytes

    Scenario: The old resident wakes up first
      Given the resident of api hangs
      And front has sent api "who brings me?"
      And another resident has taken over api and hangs as well
      When the old resident of api goes on
      Then the old resident of api is fenced
      And the model of api has read nothing
      When the new resident of api goes on
      Then the message is delivered
      And the model of api has read "who brings me?" once

    Scenario: The lease is lost between the hand-off mark and the first byte
      Given another resident takes over api right before the next write
      When front sends api "at the last moment"
      Then the old resident of api is fenced
      And the message is delivered
      And the new resident of api wrote it
      And the model of api has read "at the last moment" once

  Rule: A replaced resident claims nothing

    @case:R104
    Scenario: A claim that rests on an old look is refused and changes nothing
      When a resident that looked before the present one claims api
      Then the claim is refused: a newer resident is registered
      And api is reached by the same resident as before

    @case:R114
    Scenario: The old resident's late farewell leaves the new registration whole
      Given another resident has taken over api
      When the old resident of api leaves
      Then the registration of api is of the new resident, and ready
      When front sends api "still reachable?"
      Then the message is delivered

  Rule: A message belongs to the run it was meant for

    @case:F52
    Scenario: A message for an earlier life of a name does not reach the next one
      Given api shows its operator a permission prompt
      And front has sent api "for you alone", held: the target shows its operator a dialog
      When the process of api ends and a new session of that name starts
      And the operator arms api
      Then the message is stale: the session it was meant for is over
      And the model of api has read nothing

    Scenario: A cleared conversation is another one, even in the same process
      Given api shows its operator a permission prompt
      And front has sent api "as we said before", held: the target shows its operator a dialog
      When the operator of api clears the conversation
      Then the message is stale: the session it was meant for is over
      And the model of api has read nothing
