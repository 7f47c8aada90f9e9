-- A payer may sign a maximum, of which the merchant charges what was used: `amount` is the charge. Only the signer that the payer named may send it.
ALTER TABLE "Settlement" ADD COLUMN "maximum" DECIMAL(78,0), ADD COLUMN "sender" TEXT;
ALTER TABLE "History" ADD COLUMN "maximum" DECIMAL(78,0);

-- A charge of nothing moves no money and has no transaction; its authorization is spent all the same.
-- Not validated: what was written before kept a narrower rule.
ALTER TABLE "Settlement" DROP CONSTRAINT "Settlement_amount";
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_amount"
  CHECK (
    ("amount" > 0 AND "amount" <= COALESCE("maximum", "amount"))
    OR ("amount" = 0 AND COALESCE("maximum", 0) > 0 AND "state" IN ('CLAIMED', 'REJECTED', 'UNCHARGED'))
  ) NOT VALID;
ALTER TABLE "Settlement" DROP CONSTRAINT "Settlement_signed";
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_signed" CHECK (
  "slotId" IS NOT NULL OR "laneClass" = 'remote' OR ("network" LIKE 'solana:%' AND "txHash" IS NOT NULL AND "sinceBlock" IS NOT NULL)
  OR "state" IN ('CLAIMED', 'REJECTED', 'EXPIRED', 'USED_ELSEWHERE', 'UNPAID', 'REVERSED')
  OR ("state" = 'UNCHARGED' AND "amount" = 0)
) NOT VALID;
INSERT INTO "Move" ("from", "to") VALUES ('CLAIMED', 'UNCHARGED') ON CONFLICT DO NOTHING;
