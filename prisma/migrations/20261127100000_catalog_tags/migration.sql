-- The catalog filters by tags
CREATE INDEX "Resource_tags_idx" ON "Resource" USING GIN ("tags");
