def put(kind, body):
  raw = kind.encode() + b' ' + str(len(body)).encode() + bytes([0]) + body
  sha = hashlib.sha1(raw).hexdigest()
  os.makedirs('.git/objects/' + sha[:2], exist_ok=True)
  p = '.git/objects/' + sha[:2] + '/' + sha[2:]
  os.path.exists(p) or open(p, 'wb').write(zlib.compress(raw))
  return sha

def git(*words): return subprocess.run(['git', *words], capture_output=True, text=True).stdout.strip()

def commit(tree):
  who = 'a <a@b> 1 +0000'
  parent = git('rev-parse', 'HEAD')
  text = 'tree %s\nparent %s\nauthor %s\ncommitter %s\n\nx\n' % (tree, parent, who, who)
  return put('commit', text.encode())

def entry(mode, name, sha): return mode.encode() + b' ' + name.encode() + bytes([0]) + bytes.fromhex(sha)

# A new tree like that of HEAD with entries in the place of others.
def tree(**changed):
  entries = {}
  for line in git('ls-tree', 'HEAD').splitlines():
    facts, name = line.split('\t')
    mode, _, sha = facts.split(' ')
    entries[name] = entry(mode.lstrip('0'), name, sha)
  return put('tree', b''.join(e for _, e in sorted({**entries, **changed}.items())))

def move_main(to): open('.git/refs/heads/main', 'w').write(to + '\n')

# An index of one entry, made by hand.
def index_of(name):
  e = struct.pack('>10I', 0, 0, 0, 0, 0, 0, 0o100644, 0, 0, 4) + bytes.fromhex(evil)
  e += struct.pack('>H', len(name)) + name
  body = b'DIRC' + struct.pack('>II', 2, 1) + e + bytes(8 - len(e) % 8)
  open('.git/index', 'wb').write(body + hashlib.sha1(body).digest())

# A pack beside the others, of the object `sha`, whose index says that it is `target`.
def pack(target, sha):
  folder = tempfile.mkdtemp(dir='dist')
  name = subprocess.run(['git', 'pack-objects', '-q', folder + '/p'], input=sha + '\n', capture_output=True, text=True).stdout.strip()
  index = bytearray(open(folder + '/p-' + name + '.idx', 'rb').read())
  oid = bytes.fromhex(target)
  for i in range(256): index[8 + 4 * i:12 + 4 * i] = struct.pack('>I', 1 if i >= oid[0] else 0)
  index[1032:1052] = oid
  index[-20:] = hashlib.sha1(bytes(index[:-20])).digest()
  os.makedirs('.git/objects/pack', exist_ok=True)
  shutil.copy(folder + '/p-' + name + '.pack', '.git/objects/pack/pack-' + name + '.pack')
  open('.git/objects/pack/pack-' + name + '.idx', 'wb').write(bytes(index))
  shutil.rmtree(folder)

evil = put('blob', b'evil')

