# Promise P4: durable before the first byte.
Feature: P4, a message is on disk before its first byte leaves

  Whatever is written to a harness was stored before, and with it the hand-off mark: the note that
  a write is about to begin. So a crash at any moment leaves something to ask about.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: No byte reaches a harness before the message and its hand-off mark are stored

    Scenario: At the first byte, message and mark are there
      When front sends api "the API changed"
      Then the message is delivered
      And the message and its hand-off mark were stored at its first byte

    Scenario: A message that cannot be stored is not sent
      Given the disk is full
      When front sends api "the API changed"
      Then the send ends: the disk is full
      And nothing is stored
      And the model of api has read nothing

    Scenario: A mark that cannot be stored stops the write, and the message goes out later
      Given api shows its operator a permission prompt
      And front has sent api "patience", held: the target shows its operator a dialog
      When the disk fills up
      And the operator of api denies it
      Then the model of api has read nothing
      When the disk has room again
      Then the message is delivered
      And the model of api has read "patience" once
