-- CreateTable
CREATE TABLE "Tally" (
    "subject" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Tally_pkey" PRIMARY KEY ("subject","kind","period")
);

-- CreateIndex
CREATE INDEX "Tally_until_idx" ON "Tally"("until");

