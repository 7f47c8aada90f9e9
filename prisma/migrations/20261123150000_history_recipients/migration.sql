-- The payments to an address: a search for it would read through all others.
-- CreateIndex
CREATE INDEX "History_payTo_createdAt_id_idx" ON "History"("payTo", "createdAt", "id");
