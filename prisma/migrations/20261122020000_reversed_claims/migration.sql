-- What was told as a success, was mined without its transfer after all and came to its end as a claim is reversed like any other.
INSERT INTO "Move" ("from", "to") VALUES ('CLAIMED', 'REVERSED');
ALTER TABLE "Settlement" DROP CONSTRAINT "Settlement_signed";
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_signed" CHECK (
  "slotId" IS NOT NULL OR "laneClass" = 'remote' OR ("network" LIKE 'solana:%' AND "txHash" IS NOT NULL AND "sinceBlock" IS NOT NULL)
  OR "state" IN ('CLAIMED', 'REJECTED', 'EXPIRED', 'USED_ELSEWHERE', 'REVERSED')
);
