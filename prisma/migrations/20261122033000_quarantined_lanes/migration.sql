-- Why a lane may not sign, and since when: told to whoever has to look, also after a restart.
ALTER TABLE "Lane" ADD COLUMN "quarantinedAt" TIMESTAMPTZ(3), ADD COLUMN "quarantineWhy" TEXT;
