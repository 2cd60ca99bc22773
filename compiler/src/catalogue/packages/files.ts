import { packages, pure, rows, type RowGroup } from "../rows.js";

const FILE = "the file system is neither recorded nor the same on every machine";
const CHILD = "another process is started again on every replay";
const BROWSER = "a browser is driven again on every replay";
const HOST = "it tells of this machine";

/** Files, processes, browsers, images. */
export const FILES: readonly RowGroup[] = [
  ...packages(
    "file",
    FILE,
    "fs-extra graceful-fs glob fast-glob globby tinyglobby chokidar rimraf mkdirp make-dir del del-cli tmp tmp-promise tempy temp-dir archiver unzipper extract-zip adm-zip yauzl yazl tar tar-stream tar-fs write-file-atomic atomically find-up find-up-simple pkg-up pkg-dir read-pkg read-pkg-up load-json-file write-json-file cpy cpy-cli klaw walkdir readdirp recursive-readdir node-watch watchpack csv-writer formidable multer busboy @fastify/multipart conf configstore electron-store node-localstorage file-type through2 concat-stream get-stream pump split2 raw-body",
    { async: true },
  ),
  ...pure("tar-stream#", "extract pack"),
  ...rows("file-type#", "pure", "it looks at bytes that it is given", "fileTypeFromBuffer", { async: true }),
  ...packages(
    "process",
    CHILD,
    "execa cross-spawn shelljs zx @actions/exec child-process-promise tinyexec nano-spawn node-pty piscina workerpool threads tinypool jest-worker simple-git isomorphic-git nodegit pm2 foreman concurrently npm-run-all",
    { async: true },
  ),
  ...packages(
    "process",
    BROWSER,
    "puppeteer puppeteer-core playwright playwright-core @playwright/test playwright-chromium selenium-webdriver webdriverio cypress nightmare @sparticuz/chromium puppeteer-extra puppeteer-cluster crawlee apify",
    { async: true },
  ),
  ...packages(
    "file",
    "it reads and writes images and media",
    "sharp jimp canvas @napi-rs/canvas fluent-ffmpeg @ffmpeg/ffmpeg imagemin gm pdf2pic pdf-img-convert pdfjs-dist exiftool-vendored music-metadata image-size probe-image-size node-ssh",
    { async: true },
  ),
  ...packages(
    "process",
    "it acts on this machine again on every replay",
    "open opn clipboardy node-notifier robotjs keytar sudo-prompt",
    { async: true },
  ),
  ...packages(
    "host",
    HOST,
    "systeminformation os-name is-docker is-ci ci-info env-paths which username os-locale node-machine-id macaddress address local-ip-url internal-ip is-online detect-port get-port pidusage is-wsl supports-color std-env",
  ),
  ...packages(
    "network",
    "it asks the network who this machine is",
    "public-ip external-ip ping speedtest-net",
    { async: true },
  ),
  ...packages("locale", "it is the language of this machine", "get-user-locale locale-currency"),
];
