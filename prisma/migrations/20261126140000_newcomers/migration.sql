-- When a block had its transaction without it: its place is free for the next new payer, before the failure is certain
ALTER TABLE "Settlement" ADD COLUMN "missedAt" TIMESTAMPTZ(3);
