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

evil = put('blob', b'evil')

