-- When what an entry says, or a way to pay for it, last changed: null before the first change
ALTER TABLE "Resource" ADD COLUMN "changedAt" timestamptz(3);
ALTER TABLE "ResourceAccept" ADD COLUMN "changedAt" timestamptz(3);
