-- The transaction that sent a payer the ether for its approval: a claim gets it once.
ALTER TABLE "Settlement" ADD COLUMN "fundedSlotId" UUID;
