import { clients, type RowGroup } from "../rows.js";

const SENT = "the message is sent, or taken, again on every replay";

/** Message queues, job runners and other workflow services. */
export const QUEUES: readonly RowGroup[] = [
  ...clients(
    "queue",
    SENT,
    "bullmq bull bee-queue agenda pg-boss graphile-worker kue faktory-worker celery-node",
    "default",
    { writes: true },
  ),
  ...clients("queue", SENT, "amqplib amqp-connection-manager rabbitmq-client rhea rascal", "", {
    writes: true,
  }),
  ...clients("queue", SENT, "kafkajs node-rdkafka @confluentinc/kafka-javascript kafka-node", "", {
    writes: true,
  }),
  ...clients(
    "queue",
    SENT,
    "nats @nats-io/transport-node @nats-io/jetstream nats.ws stompit zeromq nsqjs pulsar-client",
    "StringCodec JSONCodec",
    { writes: true },
  ),
  ...clients(
    "queue",
    SENT,
    "sqs-consumer sqs-producer @upstash/qstash @upstash/workflow inngest @trigger.dev/sdk @defer/client quirrel  ",
    "",
    { writes: true },
  ),
  ...clients(
    "queue",
    SENT,
    "@temporalio/client @dbos-inc/dbos-sdk @restatedev/restate-sdk-clients @hatchet-dev/typescript-sdk zeebe-node @camunda8/sdk",
    "",
    { writes: true },
  ),
];
