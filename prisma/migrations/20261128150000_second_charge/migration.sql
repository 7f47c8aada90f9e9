-- A payment whose answer may be lost holds back the next one of its payer for the same thing, for a time that each key chooses.
ALTER TABLE "Tenant" ADD COLUMN "secondChargeSeconds" INTEGER;
ALTER TABLE "Settlement" ADD COLUMN "secondAt" TIMESTAMPTZ(3), ADD COLUMN "toldAt" TIMESTAMPTZ(3);
