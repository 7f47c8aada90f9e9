-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "credits" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "CreditAccount" (
    "wallet" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "purchased" BIGINT NOT NULL DEFAULT 0,
    "used" BIGINT NOT NULL DEFAULT 0,
    "verifications" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "CreditAccount_pkey" PRIMARY KEY ("wallet","environment")
);

-- CreateTable
CREATE TABLE "CreditEntry" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "wallet" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "delta" BIGINT NOT NULL,
    "settlementId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "CreditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "CreditEntry_wallet_environment_createdAt_idx" ON "CreditEntry"("wallet", "environment", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "CreditEntry_settlementId_kind_key" ON "CreditEntry"("settlementId", "kind");



-- What the schema language cannot say.

ALTER TABLE "CreditAccount" ADD CONSTRAINT "CreditAccount_bounds" CHECK ("purchased" >= 0 AND "used" >= 0 AND "verifications" >= 0);

-- A claim that is paid for in credits takes one, and gives it back when it is freed. The two cannot come apart, whatever crashes in between:
-- an account has used as many credits as it has settlements that were not freed.
CREATE FUNCTION "Settlement_credit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE "CreditAccount" SET "used" = "used" + 1
      WHERE "wallet" = split_part(NEW."subject", ':', 3) AND "environment" = split_part(NEW."subject", ':', 2) AND "used" < "purchased";
    IF NOT FOUND THEN
      RAISE EXCEPTION 'no credits are left' USING ERRCODE = 'QT001';
    END IF;
  ELSE
    UPDATE "CreditAccount" SET "used" = "used" - 1
      WHERE "wallet" = split_part(NEW."subject", ':', 3) AND "environment" = split_part(NEW."subject", ':', 2);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Settlement_credit_insert" AFTER INSERT ON "Settlement" FOR EACH ROW
  WHEN (NEW."period" = 'prepaid') EXECUTE FUNCTION "Settlement_credit"();
CREATE TRIGGER "Settlement_credit_freed" AFTER UPDATE OF "state" ON "Settlement" FOR EACH ROW
  WHEN (NEW."period" = 'prepaid' AND NEW."state" = 'REJECTED' AND OLD."state" <> 'REJECTED') EXECUTE FUNCTION "Settlement_credit"();

-- Where agents buy credits: the house's own tenant, like the sandbox.
INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "name")
  VALUES ('00000000-0000-0000-0000-000000000001', 'system', 'quittance', 'agent', 'Credits');
