# Promise P11: nothing is lost silently.
Feature: P11, every accepted message can be asked about, whatever crashes

  Once a message was accepted it is in the store. Processes may end at any step: the message is then
  delivered by whoever comes next, or it has ended with a reason. It is never simply gone.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: A message outlives whoever was to deliver it

    Scenario: The resident ends before it could deliver
      Given the resident of api has ended
      When front sends api "anybody there?"
      Then the message is held: no resident of the target is ready
      When another resident takes over api
      Then the message is delivered

    Scenario: The resident is killed in mid-write
      Given the resident of api is killed in its next write
      When front sends api "in between"
      And another resident takes over api
      Then the message is uncertain: the outcome of the write was lost
      And the sender can read why and what to do next

    Scenario: The session itself ends
      Given api shows its operator a permission prompt
      And front has sent api "for later", held: the target shows its operator a dialog
      When the process of api ends
      Then the message is stale: the session it was meant for is over
      And the sender can read why and what to do next

    Scenario: The session ends, and no resident is there to notice
      Given the resident of api has ended
      And front has sent api "for nobody", held: no resident of the target is ready
      When the process of api ends
      Then the message is stale: the session it was meant for is over
      And the sender can read why and what to do next

    Scenario: Of a session that cannot be looked at nothing is foretold
      Given the resident of api has ended
      And front has sent api "perhaps", held: no resident of the target is ready
      When the kernel tells nothing of api any more
      Then the message is held: no resident of the target is ready

  Rule: The store is the truth and a bell is only a bell

    @case:F19
    Scenario: A lost ring delays a message and loses none
      Given the next ring at api is lost
      When front sends api "did it ring?"
      Then the message is accepted
      When 1 minute passes
      Then the message is delivered
