-- Analytics are kept by each process, and no longer in the database
DROP TABLE "AnalyticsMemo";
