"""How an agent becomes reachable: activation, claim, admission."""
