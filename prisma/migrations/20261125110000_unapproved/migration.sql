-- A payer that took ether for its approval and did not approve
ALTER TABLE "PayerFailure" DROP CONSTRAINT "PayerFailure_kind";
ALTER TABLE "PayerFailure" ADD CONSTRAINT "PayerFailure_kind"
  CHECK ("kind" IN ('burned', 'unpaid', 'reverted', 'used_elsewhere', 'expired', 'reversed', 'unapproved'));
