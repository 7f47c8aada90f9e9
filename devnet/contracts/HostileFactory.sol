// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {WalletFactory} from "./WalletFactory.sol";

/// @notice A factory of wallets that also does what a hostile one may do; the caller's data choose.
contract HostileFactory is WalletFactory {
    /// @notice Whether the last `callBack` succeeded.
    bool public calledBack;

    function createNothing() external {}

    function fail() external pure {
        revert("HostileFactory: no");
    }

    function burn() external pure {
        assembly {
            invalid()
        }
    }

    /// @notice Works where gas is free, as in a simulation, and deploys nothing in a transaction that pays for it.
    function createWhereFree(address owner, uint256 salt) external {
        if (tx.gasprice == 0) create(owner, salt);
    }

    /// @notice The same, and burns all its gas where it is paid for.
    function burnWherePaid(address owner, uint256 salt) external {
        if (tx.gasprice > 0) {
            assembly {
                invalid()
            }
        }
        create(owner, salt);
    }

    /// @notice Deploys the wallet, then calls any contract with any data.
    function callBack(address owner, uint256 salt, address target, bytes calldata data) external {
        create(owner, salt);
        (calledBack,) = target.call(data);
    }

    /// @notice Deploys the wallet and answers with this many bytes of zeros.
    function answerAtLength(address owner, uint256 salt, uint256 length) external {
        create(owner, salt);
        assembly {
            return(0, length)
        }
    }
}
