-- Keys that cost nothing are a class of their own, and an origin may prove whose a listing is
ALTER TABLE "Resource" ADD COLUMN "proven" BOOLEAN NOT NULL DEFAULT false;
UPDATE "Resource" r SET "class" = 'free' FROM "Tenant" t
WHERE r."class" = 'production' AND t."plan" = 'free' AND r."owner" = 'tenant:' || t."id";
