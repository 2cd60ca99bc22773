import { clients, packages, pure, rows, type RowGroup } from "../rows.js";

const DB = "the database answers differently on every replay";
const CACHE = "the store's content changes between runs";
const WRITING =
  "insert insertOne insertMany create createMany createManyAndReturn bulkCreate increment decrement";

const writing = (module: string): readonly RowGroup[] =>
  WRITING.split(" ").flatMap((method) =>
    rows(`${module}#`, "database", DB, `*.${method}`, { async: true, writes: true }),
  );

/** SQL and document databases, ORMs, key-value stores, search engines. */
export const DATABASES: readonly RowGroup[] = [
  ...clients(
    "database",
    DB,
    "pg mysql mysql2 mssql oracledb tedious mariadb snowflake-sdk duckdb @duckdb/node-api cassandra-driver neo4j-driver @clickhouse/client",
    "createPool createConnection createClient driver auth.basic types.setTypeParser",
  ),
  ...pure("mysql2#", "format escape escapeId"),
  ...rows("mysql2#", "pure", "a pool that is made does nothing yet", "promise.createPool", {
    returns: "mysql2#Pool",
  }),
  ...pure("pg#", "escapeIdentifier escapeLiteral"),
  ...clients(
    "database",
    DB,
    "postgres slonik @neondatabase/serverless @planetscale/database @libsql/client @vercel/postgres @databases/pg pg-promise pgsql-ast-parser",
    "default connect neon createClient createPool createConnectionPool",
  ),
  ...pure("slonik#", "sql sql.*"),
  ...clients("database", DB, "better-sqlite3 sqlite3 sqlite sql.js @sqlite.org/sqlite-wasm", "default"),
  ...clients("database", DB, "mongodb", ""),
  ...writing("mongodb"),
  ...rows("mongodb#", "id", "without an argument it makes another id on every replay", "ObjectId", {
    when: { lacks: [0] },
  }),
  ...pure(
    "mongodb#",
    "ObjectId ObjectId.isValid ObjectId.createFromHexString Binary Long Decimal128 Double Int32 Timestamp ObjectId.* ServerApiVersion",
  ),
  ...clients("database", DB, "mongoose", "model connection.model"),
  ...writing("mongoose"),
  ...pure("mongoose#", "Schema Schema.* isValidObjectId isObjectIdOrHexString set"),
  ...rows("mongoose#", "id", "without an argument it makes another id on every replay", "Types.ObjectId", {
    when: { lacks: [0] },
  }),
  ...pure("mongoose#", "Types.*"),

  ...clients("database", DB, "@prisma/client @prisma/extension-accelerate .prisma/client", ""),
  ...writing("@prisma/client"),
  ...pure(
    "@prisma/client#",
    "Prisma.sql Prisma.join Prisma.raw Prisma.validator Prisma.defineExtension Prisma.empty Prisma.* Decimal",
  ),
  ...pure("drizzle-orm#", "*"),
  ...rows(
    "drizzle-orm#",
    "database",
    DB,
    "Database.* BaseSQLiteDatabase.* PgDatabase.* NodePgDatabase.* PostgresJsDatabase.* MySqlDatabase.* MySql2Database.* LibSQLDatabase.* BetterSQLite3Database.* NeonHttpDatabase.* DrizzleD1Database.*",
    { async: true },
  ),
  ...rows("drizzle-orm#", "database", DB, "Database.insert *.insert", { async: true, writes: true }),
  ...[
    "node-postgres",
    "postgres-js",
    "mysql2",
    "better-sqlite3",
    "libsql",
    "neon-http",
    "neon-serverless",
    "planetscale-serverless",
    "vercel-postgres",
    "d1",
    "bun-sqlite",
    "bun-sql",
    "pglite",
    "aws-data-api/pg",
    "sql-js",
    "singlestore",
    "xata-http",
    "durable-sqlite",
  ].flatMap((driver) =>
    rows(`drizzle-orm/${driver}#`, "pure", "a client that is made does nothing yet", "drizzle", {
      returns: "drizzle-orm#Database",
    }),
  ),
  ...clients("database", DB, "knex", "default knex"),
  ...clients("database", DB, "kysely", ""),
  ...rows("kysely#", "database", DB, "*.insertInto", { async: true, writes: true }),
  ...pure("kysely#", "sql sql.* expressionBuilder"),
  ...clients(
    "database",
    DB,
    "typeorm @mikro-orm/core @mikro-orm/postgresql @mikro-orm/mysql @mikro-orm/mongodb objection bookshelf waterline orchid-orm",
    "",
  ),
  ...pure(
    "typeorm#",
    "Entity Column PrimaryColumn PrimaryGeneratedColumn CreateDateColumn UpdateDateColumn DeleteDateColumn VersionColumn OneToOne OneToMany ManyToOne ManyToMany JoinColumn JoinTable Index Unique Check In Not Like ILike Between IsNull MoreThan MoreThanOrEqual LessThan LessThanOrEqual Any Raw EntitySchema ViewEntity ChildEntity TableInheritance Tree BeforeInsert BeforeUpdate AfterLoad AfterInsert EventSubscriber",
  ),
  ...writing("typeorm"),
  ...clients("database", DB, "sequelize sequelize-typescript", ""),
  ...writing("sequelize"),
  ...pure(
    "sequelize#",
    "DataTypes.* literal fn col cast where json and or Op.* Sequelize.literal Sequelize.fn Sequelize.col",
  ),
  ...pure(
    "sequelize-typescript#",
    "Table Column Model PrimaryKey AutoIncrement ForeignKey BelongsTo HasMany HasOne BelongsToMany CreatedAt UpdatedAt Default AllowNull Unique Index",
  ),

  ...clients(
    "database",
    CACHE,
    "redis ioredis @redis/client @upstash/redis @vercel/kv memcached memjs valkey iovalkey @valkey/valkey-glide handy-redis",
    "createClient createCluster",
  ),
  ...clients(
    "database",
    CACHE,
    "keyv cache-manager level lmdb classic-level rocksdb nedb lowdb @seald-io/nedb node-persist etcd3 consul @upstash/ratelimit rate-limiter-flexible",
    "createCache caching open",
  ),
  ...clients(
    "database",
    DB,
    "@elastic/elasticsearch @opensearch-project/opensearch algoliasearch meilisearch typesense solr-client",
    "default algoliasearch",
  ),
  ...clients(
    "database",
    DB,
    "@pinecone-database/pinecone chromadb weaviate-client @qdrant/js-client-rest @zilliz/milvus2-sdk-node vectordb @lancedb/lancedb @upstash/vector",
    "default",
  ),
  ...clients(
    "database",
    DB,
    "@supabase/supabase-js @supabase/ssr @supabase/postgrest-js convex appwrite node-appwrite pocketbase faunadb dynamoose electrodb influx @influxdata/influxdb-client arangojs couchbase nano pouchdb rethinkdb surrealdb gel edgedb",
    "createClient createServerClient createBrowserClient",
  ),
  ...packages(
    "memory",
    "what it holds belongs to this process",
    "lru-cache node-cache quick-lru tiny-lru memory-cache memoizee mem p-memoize memoize micro-memoize fast-memoize nano-memoize lru_map @isaacs/ttlcache dataloader async-mutex async-lock proper-lockfile",
  ),
  ...rows("async-mutex#", "memory", "the lock belongs to this process", "*.runExclusive", {
    async: true,
    calls: "all",
  }),
  ...rows("async-lock#", "memory", "the lock belongs to this process", "*.acquire", {
    async: true,
    calls: "all",
  }),
  ...pure("lru-cache#", "*", { when: { form: "new" } }),
  ...pure("node-cache#", "*", { when: { form: "new" } }),
  ...pure("dataloader#", "*", { when: { form: "new" } }),
];
