# Promise P5: at most one write per message.
Feature: P5, a message is written once at most

  A message that arrived twice would be worse than one that did not arrive: a model would act twice.
  So nothing is ever sent again by itself. What is known to have failed with zero bytes may be sent
  again by hand; what is uncertain is called uncertain.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: One message is one write

    @case:R224
    Scenario: The same ref again returns the stored message and writes nothing
      Given front has sent api "deploy now" under the ref deploy-7
      When front sends api "deploy now" under the ref deploy-7
      Then the receipt is of the stored message
      And one write to api was begun
      And the model of api has read "deploy now" once

    Scenario: A used ref does not take another text
      Given front has sent api "deploy now" under the ref deploy-7
      When front sends api "roll back" under the ref deploy-7
      Then the send is refused: the ref already names another message
      And the model of api has read "roll back" 0 times

    Scenario: A delivered message is not written again, however long it goes unread
      Given the model of api is deaf
      And front has sent api "hello?"
      When 8 hours pass
      Then the message is delivered
      And one frame was written to api

  Rule: After a known zero the sender may try again by hand

    @case:R214
    Scenario: The socket takes no byte
      Given the socket of api takes no byte of the next frame
      When front sends api "first try"
      Then the message has failed: no byte left
      And the exit code is 1
      When 1 hour passes
      Then one write to api was begun
      When front sends api "second try"
      Then the message is delivered

  Rule: An uncertain message is called uncertain and is never sent again by itself

    @case:R215
    Scenario: Only a part of the frame leaves
      Given the socket of api takes a part of the next frame
      When front sends api "half a sentence"
      Then the message is uncertain: only a part of it left
      And the exit code is 8
      When 1 hour passes
      Then one write to api was begun

    @case:R260 @case:M145
    Scenario: The resident is killed in mid-write and another one takes over
      Given api shows its operator a permission prompt
      And front has sent api "one", held: the target shows its operator a dialog
      And front has sent api "two", held: an earlier message is still waiting
      And the resident of api is killed in its next write
      When the operator of api denies it
      And another resident takes over api
      Then "one" is uncertain: the outcome of the write was lost
      And the exit code is 8
      And "two" is delivered
      And two writes to api were begun
