-- CreateTable
CREATE TABLE "Alert" (
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Alert_pkey" PRIMARY KEY ("kind","subject","period")
);

-- CreateIndex
CREATE INDEX "Alert_at_idx" ON "Alert"("at");
