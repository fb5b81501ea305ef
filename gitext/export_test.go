package gitext

// ReadByGit has git cat-file alone read the objects of r, loose ones too.
func (r *Repo) ReadByGit() {
	r.objects = r.newReader(r.objectDirs(), r.dir, r.env)
	r.objects.dirs, r.objects.packs = nil, nil
}

// AskedGit reports whether git cat-file was asked for an object.
func (r *Repo) AskedGit() bool { return r.objects.git.process != nil }
