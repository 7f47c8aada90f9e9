-- A payment without an answer can answer the next one of its payer for the same thing, for a time that each key chooses.
ALTER TABLE "Tenant" ADD COLUMN "secondChargeSeconds" INTEGER;
ALTER TABLE "Settlement" ADD COLUMN "secondAt" TIMESTAMPTZ(3);
