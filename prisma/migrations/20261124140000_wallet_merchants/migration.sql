-- What a wallet charges, apart from what its agent spends: each list and each figure of a merchant reads these rows in order.
CREATE INDEX "History_wallet_idx" ON "History"("ownerId", "createdAt", "id") WHERE "ownerKind" = 'wallet' AND "plan" <> 'agent';
CREATE INDEX "History_wallet_network_idx" ON "History"("ownerId", "network", "createdAt", "id") WHERE "ownerKind" = 'wallet' AND "plan" <> 'agent';
CREATE INDEX "History_wallet_failures_idx" ON "History"("ownerId", "createdAt", "id") WHERE NOT "success" AND "ownerKind" = 'wallet' AND "plan" <> 'agent';
CREATE INDEX "History_wallet_resource_idx" ON "History"("ownerId", hashtextextended("resource", 0), "createdAt", "id") WHERE "ownerKind" = 'wallet' AND "plan" <> 'agent';
