-- What housekeeping deletes by: counts of months that are over, those of the sandbox's addresses sooner.
CREATE INDEX "Usage_period_idx" ON "Usage"("period");
CREATE INDEX "Usage_address_period_idx" ON "Usage"("period") WHERE "subject" LIKE 'ip:%';
