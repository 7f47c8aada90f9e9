-- CreateTable
CREATE TABLE "WalletKeySpend" (
    "day" DATE NOT NULL,
    "network" TEXT NOT NULL,
    "spent" DECIMAL(78,0) NOT NULL DEFAULT 0,

    CONSTRAINT "WalletKeySpend_pkey" PRIMARY KEY ("day","network")
);

-- What the keys that wallets made have on their way to the chain, together: a claim counts it against their common gas budget.
CREATE INDEX "Settlement_wallet_keys_idx" ON "Settlement"("network", "createdAt")
WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST') AND "party" LIKE 'owner:wallet:%:free';
