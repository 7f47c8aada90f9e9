-- When what an entry says, or a way to pay for it, last changed: null before the first change
ALTER TABLE "Resource" ADD COLUMN "changedAt" timestamptz(3);
ALTER TABLE "ResourceAccept" ADD COLUMN "changedAt" timestamptz(3);
-- The intent of the request that an Idempotency-Key belongs to: its settlement is found by the key
ALTER TABLE "Idempotency" ADD COLUMN "intentKey" bytea;
-- Tools of MCP servers stand beside resources of HTTP; their URL ends with # and the name of the tool
ALTER TABLE "Resource" ADD COLUMN "type" text NOT NULL DEFAULT 'http';
