"""The verifier: proves and refutes statements about rulesets."""
