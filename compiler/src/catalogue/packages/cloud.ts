import { clients, pure, rows, type RowGroup } from "../rows.js";

const CLOUD = "the cloud service is called again on every replay";

/** Cloud SDKs. Clients and commands that are made with `new` do nothing until they are sent. */
export const CLOUD_ROWS: readonly RowGroup[] = [
  ...clients(
    "network",
    CLOUD,
    "aws-sdk @aws-sdk/* @smithy/* @aws-lambda-powertools/* @google-cloud/* @azure/* @azure-rest/* @oracle/* @alicloud/* oci-sdk ibm-cloud-sdk-core",
  ),
  ...pure("@aws-sdk/util-dynamodb#", "marshall unmarshall convertToAttr convertToNative"),
  ...pure("@aws-sdk/lib-dynamodb#", "DynamoDBDocumentClient.from DynamoDBDocument.from"),
  ...rows(
    "@aws-sdk/s3-request-presigner#",
    "clock",
    "a signed address holds the time at which it was made",
    "getSignedUrl",
    { async: true },
  ),
  ...pure("@azure/storage-blob#", "BlobServiceClient.fromConnectionString"),
  ...pure("@azure/cosmos#", "PartitionKeyBuilder"),
  ...clients(
    "network",
    CLOUD,
    "firebase-admin firebase @firebase/app @firebase/firestore @firebase/auth",
    "initializeApp cert applicationDefault getFirestore getAuth getStorage getMessaging firestore auth storage messaging credential.cert credential.applicationDefault",
  ),
  ...pure("firebase-admin#", "firestore.FieldValue.* FieldValue.* Timestamp.fromDate Timestamp.fromMillis"),
  ...rows("firebase-admin#", "clock", "it asks the clock", "Timestamp.now firestore.Timestamp.now"),
  ...clients(
    "network",
    CLOUD,
    "@vercel/blob @vercel/functions @vercel/sdk @netlify/blobs @netlify/functions cloudflare minio cloudinary uploadthing imagekit @imagekit/nodejs backblaze-b2 dropbox box-node-sdk @microsoft/microsoft-graph-client heroku-client do-wrapper @pulumi/pulumi dockerode @kubernetes/client-node kubernetes-client node-vault  ",
  ),
  ...rows("@vercel/edge-config#", "environment", "the configuration can change between two runs", "*", {
    async: true,
  }),
  ...rows("@vercel/functions#", "host", "it tells of this request", "geolocation ipAddress getEnv"),
];
