-- A payment whose transaction was mined without it may end from its slot, and its intent is free
INSERT INTO "Move" ("from", "to") VALUES ('PREPARED', 'UNPAID'), ('BROADCAST', 'UNPAID') ON CONFLICT DO NOTHING;

-- A failure that nothing explains by its payer counts at its party alone
ALTER TABLE "PayerFailure" DROP CONSTRAINT "PayerFailure_kind";
ALTER TABLE "PayerFailure" ADD CONSTRAINT "PayerFailure_kind"
  CHECK ("kind" IN ('burned', 'unpaid', 'reverted', 'used_elsewhere', 'expired', 'reversed', 'unapproved', 'unclear'));
