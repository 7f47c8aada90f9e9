-- Every payment so far was of USDC. A default rewrites no table.
ALTER TABLE "Settlement" ADD COLUMN "symbol" TEXT NOT NULL DEFAULT 'USDC';

ALTER TABLE "History" ADD COLUMN "symbol" TEXT NOT NULL DEFAULT 'USDC';

ALTER TABLE "RollupFact" ADD COLUMN "symbol" TEXT NOT NULL DEFAULT 'USDC';

ALTER TABLE "RollupTime" ADD COLUMN "symbol" TEXT NOT NULL DEFAULT 'USDC';

-- Sets of payers are kept by symbol too.
ALTER TABLE "RollupPayerBits" ADD COLUMN "symbol" TEXT NOT NULL DEFAULT 'USDC',
DROP CONSTRAINT "RollupPayerBits_pkey",
ADD CONSTRAINT "RollupPayerBits_pkey" PRIMARY KEY ("tenantId", "day", "network", "symbol", "chunk", "part");

ALTER TABLE "RollupPayerList" ADD COLUMN "symbol" TEXT NOT NULL DEFAULT 'USDC',
DROP CONSTRAINT "RollupPayerList_pkey",
ADD CONSTRAINT "RollupPayerList_pkey" PRIMARY KEY ("tenantId", "day", "network", "symbol", "part");

-- A resource may be sold for several tokens on one network.
ALTER TABLE "ResourceAccept" ADD COLUMN "symbol" TEXT NOT NULL DEFAULT 'USDC',
DROP CONSTRAINT "ResourceAccept_pkey",
ADD CONSTRAINT "ResourceAccept_pkey" PRIMARY KEY ("resourceId", "scheme", "network", "symbol");
