# Fish completion for `git standards`: fish's own for git asks what completes git-standards.
function __git_standards_words
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -e before[1]
    string match -q -- '-*' $word; and set -a before $word
    git-standards $before --generate-bash-completion 2>/dev/null
end

# These take files, which the program does not list.
function __git_standards_files
    commandline -opc | string join ' ' | string match -qr -- ' (adopt|mv|query route)( |$)'
end

complete -c git-standards -f -n 'not __git_standards_files' -a '(__git_standards_words)'
complete -c git-standards -F -n __git_standards_files
